// Exits with 0 where the server in this container answers /health. curl is not in the image.
const { PORT = "8080", TLS_CERT_FILE } = process.env;
// It asks itself, under a name its certificate need not have.
if (TLS_CERT_FILE) {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  process.removeAllListeners("warning");
}
const url = `${TLS_CERT_FILE ? "https" : "http"}://127.0.0.1:${PORT}/health`;
const healthy = await fetch(url, { signal: AbortSignal.timeout(4_000) }).then(
  (answer) => answer.ok,
  () => false,
);
process.exit(healthy ? 0 : 1);
