// Preloaded with `node --require` where the time of embedding is to be left apart: the tokenizer and the model's process
// stand in and answer at once, every text with the same vector. The rest of the program runs as it is.
const childProcess = require("node:child_process");
const { EventEmitter } = require("node:events");
const fs = require("node:fs");

const vector = Float32Array.from({ length: 384 }, (_, i) => Math.sin(i) / Math.sqrt(192));

const { fork } = childProcess;
childProcess.fork = (file, ...rest) => {
  if (!String(file).endsWith("model-worker.js")) return fork(file, ...rest);
  const nothing = () => {};
  return Object.assign(new EventEmitter(), {
    exitCode: 0,
    ref: nothing,
    unref: nothing,
    send() {
      setImmediate(() => this.emit("message", { vector }));
    },
  });
};

const { readFileSync } = fs;
fs.readFileSync = (path, ...rest) => (String(path).endsWith("tokenizer.json") ? "{}" : readFileSync(path, ...rest));
const filename = require.resolve("@huggingface/tokenizers");
class Tokenizer {
  encode = (text) => ({ ids: text.split(" ").map((_, i) => i) });
}
require.cache[filename] = { id: filename, filename, loaded: true, exports: { Tokenizer } };
