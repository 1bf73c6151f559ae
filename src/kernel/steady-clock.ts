/** Milliseconds since 1970 that only go forward: setting the machine's clock while we run does not move them. */
export const steadyNow = () => performance.timeOrigin + performance.now();
