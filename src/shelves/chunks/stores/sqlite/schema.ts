/**
 * The store's format, one step per version; a released step never changes.
 *
 * A project numbers its chunks: every write of a chunk takes the next ordinal, so an ordinal is never reused. Keys
 * of rows are `owner × 2^32 + ordinal`: one integer index serves lookups, and a project's rows are contiguous.
 * The word index, the vectors and the filters all refer to chunks by ordinal.
 */
export const MIGRATIONS: readonly string[] = [
  `
  create table projects (
    key integer primary key autoincrement,
    id text not null unique,
    kind text not null,
    name text not null,
    description text,
    collection text not null unique,
    hybrid integer not null,
    fusion text not null,
    space integer not null,
    next_space integer,
    ordinals integer not null default 0,
    -- live chunks, the sum of their lengths in terms, and their languages: what BM25 needs of the whole
    chunks integer not null default 0,
    terms integer not null default 0,
    languages text not null default '{}',
    -- counts the project's writes; rows that carry a revision were last changed by that write
    revision integer not null default 1,
    created_at text not null,
    updated_at text not null
  );

  create table spaces (
    key integer primary key autoincrement,
    project integer not null,
    model text not null,
    dimension integer not null,
    vectors integer not null default 0,
    blocks integer not null default 0,
    -- vectors in blocks, those of removed chunks included
    slots integer not null default 0,
    live integer not null default 0,
    -- keys of blocks go on counting when blocks are rewritten, so a key never means two things
    first_block integer not null default 0
  );

  -- small columns first: those behind a long text are slow to reach
  create table chunks (
    key integer primary key,
    project integer not null,
    id text not null,
    vector integer,
    vectors integer not null default 0,
    next_vector integer,
    next_vectors integer not null default 0,
    doc_id text,
    position integer not null,
    citekey text,
    year integer,
    language text,
    headings text not null,
    text text not null,
    rest text not null
  );
  create unique index chunks_by_id on chunks (project, id);
  create index chunks_by_document on chunks (project, doc_id, position) where doc_id is not null;
  create index chunks_by_citekey on chunks (project, citekey) where citekey is not null;
  create index chunks_by_year on chunks (project, year) where year is not null;

  create table chunk_tags (project integer, tag text, ordinal integer, primary key (project, tag, ordinal)) without rowid;
  create index chunk_tags_by_chunk on chunk_tags (project, ordinal);

  -- uint16 a chunk: 0 where it is gone, else its length in terms plus one
  create table chunk_lengths (key integer primary key, project integer not null, revision integer not null, data blob not null);
  create index chunk_lengths_by_project on chunk_lengths (project, revision);

  -- chunks that have no vector in the project's next space yet
  create table pending_vectors (key integer primary key);
  create table vectors (key integer primary key, data blob not null);
  create table vector_blocks (key integer primary key, space integer not null, revision integer not null, head blob not null, signs blob not null, codes blob not null);
  create index vector_blocks_by_space on vector_blocks (space, revision);

  create table word_segments (key integer primary key autoincrement, project integer not null, level integer not null, first integer not null);
  create index word_segments_by_project on word_segments (project);
  create table word_blocks (key integer primary key, segment integer not null, first text not null, data blob not null);
  create index word_blocks_by_segment on word_blocks (segment);

  create table documents (
    key integer primary key,
    project integer not null,
    id text not null,
    added_at text not null,
    summary text not null,
    body blob not null
  );
  create unique index documents_by_id on documents (project, id);
  `,
  // A covering index of what a search reads of its hits: next to the long texts each row would be on a page of its own.
  `create index chunk_places on chunks (key, id, vector, vectors);`,
];

const RADIX = 2 ** 32;
export const keyOf = (owner: number, ordinal: number): number => owner * RADIX + ordinal;
/** The keys of an owner's rows: from the first to before the second. */
export const rangeOf = (owner: number) => [keyOf(owner, 0), keyOf(owner + 1, 0)] as const;
export const ordinalOf = (key: number): number => key % RADIX;
