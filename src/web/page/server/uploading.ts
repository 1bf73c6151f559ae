import { jsonOrUndefined } from "../../../kernel/json.js";
import type { Failure } from "./connection.js";
import { keys } from "./keys.js";
import { keyHeaders } from "./stored-keys.js";

/** A file as it lies on the server. */
export interface Uploaded {
  path: string;
  folder: string;
  name: string;
}

/** Uploads one file of a batch. `XMLHttpRequest`, because `fetch` does not report upload progress. */
export function upload(
  file: File,
  batch: string,
  { signal, progress }: { signal: AbortSignal; progress(share: number): void },
): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", new URL(`./files/${batch}/${encodeURIComponent(file.name)}`, document.baseURI));
    for (const [name, value] of Object.entries(keyHeaders(keys.value))) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const answer = jsonOrUndefined(request.responseText) as (Uploaded & { error?: Failure }) | undefined;
      if (request.status === 201 && answer) resolve(answer);
      else reject(new Error(answer?.error?.message ?? "The server did not take the file."));
    };
    request.onerror = () => reject(new Error("The server does not answer. Is it still running?"));
    request.onabort = () => reject(new Error("Stopped."));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}
