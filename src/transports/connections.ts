/**
 * How long a connection may take. Node looks at them at intervals, 30 s by itself: with this one, headers that do not
 * come are given up within 15 s.
 */
export const CONNECTIONS = {
  connectionsCheckingInterval: 5_000,
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 75_000,
} as const;
