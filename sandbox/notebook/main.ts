import { startNotebookSandbox } from "./server.js";

const sandbox = await startNotebookSandbox({ port: Number(process.env.PORT ?? 0) });
console.log(`Notebook sandbox on ${sandbox.url}; open ${sandbox.url}/sandbox/sign-in to be signed in.`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void sandbox.close());
