export const nginxIsInstalled: boolean;
export function freePort(): Promise<number>;
export interface Nginx {
  port: number;
  url: string;
  errors(): string;
  close(): Promise<void>;
}
export function startNginx(options: {
  /** host:port */
  upstreams: string[];
  certificate: { cert: string; key: string };
  /** Put into the location. */
  extra?: string;
}): Promise<Nginx>;
