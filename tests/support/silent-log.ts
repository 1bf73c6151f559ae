import type { Log } from "../../src/kernel/log.js";

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
