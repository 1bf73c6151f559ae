/**
 * Time limits of a connection. Node checks them at intervals, by default 30 s: with this one, headers that do not
 * come are given up within 15 s.
 */
export const CONNECTIONS = {
  connectionsCheckingInterval: 5_000,
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 75_000,
} as const;
