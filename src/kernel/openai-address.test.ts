import { expect, it } from "vitest";
import { openAiAddress } from "./openai-address.js";

it.each([
  ["https://api.example", "https://api.example/v1/embeddings"],
  ["https://api.example/v1/", "https://api.example/v1/embeddings"],
  ["https://api.example/v1/embeddings/", "https://api.example/v1/embeddings"],
  [
    "https://api.example/openai/deployments/mine?version=3",
    "https://api.example/openai/deployments/mine/embeddings?version=3",
  ],
  ["https://proxy.example/https://api.example/v1", "https://proxy.example/https://api.example/v1/embeddings"],
])("an endpoint is found from %s", (given, address) => {
  expect(openAiAddress(given, "embeddings").href).toBe(address);
});
