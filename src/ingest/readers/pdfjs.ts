// On Node 20 the polyfills of pdf.js replace Array.prototype.push for the whole thread by one written in JavaScript, for the
// sake of the error on a frozen length. It costs a tenth of reading, so the native one comes back once they have run. The
// half of pdf.js that parses is loaded here too: pdf.js takes it from the global scope, and brings the same polyfills.
const nativePush = Array.prototype.push;
const pdfjs = await import("pdfjs-dist/legacy/build/pdf.mjs");
await import("pdfjs-dist/legacy/build/pdf.worker.mjs" as string);
Array.prototype.push = nativePush;

export const { getDocument, OPS, PasswordResponses, VerbosityLevel } = pdfjs;
