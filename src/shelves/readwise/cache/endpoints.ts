/** The cached endpoints, with the names of the contract. */
export const BOOKS = "/api/v2/books/";
export const EXPORT = "/api/v2/export/";
export const LIST = "/api/v3/list/";
export const READER_TAGS = "/api/v3/tags/";
