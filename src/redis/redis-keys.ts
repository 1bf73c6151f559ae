/** Every name in Redis begins with it. The number is that of the format: versions that differ in it do not meet. */
export const REDIS_PREFIX = "bookwheel:1:";
