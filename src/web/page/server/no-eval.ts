import { config } from "zod/v4/core";

// The content policy forbids compiling strings. Zod would try it once, when the MCP client's schemas are made, and be refused.
config({ jitless: true });
