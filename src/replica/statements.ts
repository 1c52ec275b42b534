/** What the quorum's tables are, and the statements that change them. */

/** Rises when the tables change so that earlier programs cannot use them. */
export const TABLES_LAYOUT = 2

/**
 * `bytes` are not compressed: a block would cost more time in the server than on its way to the disk
 * (bench `replicated`).
 */
export const PREPARE = `
CREATE TABLE IF NOT EXISTS ringbook_leader (
  one boolean PRIMARY KEY CHECK (one),
  layout integer NOT NULL,
  epoch bigint NOT NULL,
  member text NOT NULL,
  beat bigint NOT NULL,
  address text NOT NULL,
  successor text NOT NULL
);
CREATE TABLE IF NOT EXISTS ringbook_blocks (
  journal integer NOT NULL,
  position bigint NOT NULL,
  sequence bigint NOT NULL UNIQUE,
  watermark bigint NOT NULL,
  epoch bigint NOT NULL,
  previous integer NOT NULL,
  checksum integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (journal, position)
);
ALTER TABLE ringbook_blocks ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE IF NOT EXISTS ringbook_watermark (
  one boolean PRIMARY KEY CHECK (one),
  sequence bigint NOT NULL
);
INSERT INTO ringbook_watermark (one, sequence) VALUES (true, 0) ON CONFLICT DO NOTHING;
CREATE TABLE IF NOT EXISTS ringbook_members (
  member text PRIMARY KEY,
  address text NOT NULL,
  sequence bigint NOT NULL,
  noted timestamptz NOT NULL
);`

/** What a server must report of itself before it is trusted, and after each write. */
export const CHECK = `SELECT
  current_setting('server_version_num')::integer AS version,
  pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly",
  current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on' AS "isFlushing",
  current_setting('synchronous_standby_names') <> ''
    AND current_setting('synchronous_commit') IN ('on', 'remote_apply') AS "isQuorum",
  current_setting('client_min_messages') <> 'error' AS "isWarning",
  pg_conf_load_time()::text AS "settingsRead"`

export const TABLES = `SELECT to_regclass('ringbook_leader') IS NOT NULL AS "exist"`

/** Has only columns that every layout has. */
export const LAYOUT = 'SELECT layout FROM ringbook_leader'

export const LEAD = 'SELECT epoch, member, beat, address, successor FROM ringbook_leader'

const LAST_SEQUENCE = 'coalesce((SELECT max(sequence) FROM ringbook_blocks), 0)'

/** Epoch, member, address; of the row before epoch, member, beat, successor; the highest sequence allowed. */
export const FIRST_LEAD = `INSERT INTO ringbook_leader
  (one, layout, epoch, member, beat, address, successor)
  VALUES (true, ${TABLES_LAYOUT}, $1, $2, 1, $3, '') ON CONFLICT DO NOTHING`

export const TAKE_LEAD = `UPDATE ringbook_leader
  SET epoch = $1, member = $2, address = $3, beat = beat + 1, successor = ''
  WHERE epoch = $4 AND member = $5 AND beat = $6 AND successor = $7
    AND ($8::bigint IS NULL OR ${LAST_SEQUENCE} <= $8::bigint)`

const isLeading = "epoch = $1 AND current_setting('synchronous_standby_names') <> ''"

/** Returns what the statement sees: its commit comes behind all of that. */
export const BEAT = `UPDATE ringbook_leader SET beat = beat + 1 WHERE ${isLeading}
  RETURNING ${LAST_SEQUENCE} AS sequence`

export const NAME_SUCCESSOR = `UPDATE ringbook_leader SET successor = $2 WHERE ${isLeading}`

/** The most blocks of one statement. */
export const APPEND_BLOCKS_MAX = 16
const APPEND_VALUES = 2
const BLOCK_VALUES = 5

/** Returns the parameters of the block at `index`, in the order of `appendOf`. */
function blockParameters(index: number): string {
  const types = ['integer', 'bigint', 'integer', 'integer', 'bytea']
  const first = APPEND_VALUES + index * BLOCK_VALUES + 1
  return types.map((type, i) => `$${first + i}::${type}`).join(', ')
}

/**
 * Returns the statement that appends `count` blocks, all or none: epoch, watermark, then of each block
 * journal, position, previous, checksum, bytes. The row of the leader is locked until the commit, so a
 * member that takes the lead waits for it and then sees the blocks. The block before must be in the table,
 * or among those that come first here. A block that is there already violates the primary key: a late
 * statement may have put it there. One statement, because each separate one adds 0.25 to 0.5 ms
 * (docs/decisions/replicated-journal.md).
 */
export const appendOf = (count: number): string => `WITH added
  (place, journal, position, previous, checksum, bytes) AS (VALUES
  ${Array.from({ length: count }, (_, i) => `(${i + 1}, ${blockParameters(i)})`).join(', ')})
INSERT INTO ringbook_blocks
  (epoch, watermark, sequence, journal, position, previous, checksum, bytes)
SELECT $1::bigint, $2::bigint, ${LAST_SEQUENCE} + place,
  journal, position, previous, checksum, bytes
FROM ringbook_leader leader, added
WHERE leader.epoch = $1 AND current_setting('synchronous_standby_names') <> ''
  AND (SELECT bool_and((it.previous = coalesce(
      (SELECT b.checksum FROM ringbook_blocks b
        WHERE b.journal = it.journal AND b.position = it.position - 1),
      (SELECT b.checksum FROM added b
        WHERE b.journal = it.journal AND b.position = it.position - 1 AND b.place < it.place),
      CASE it.position WHEN 1 THEN 0 END)) IS TRUE) FROM added it)
FOR SHARE OF leader
RETURNING sequence`

/** Waits for no standby: the watermark claims only what is on the quorum already. */
export const MARK = `UPDATE ringbook_watermark SET sequence = $1
  WHERE sequence < $1 AND set_config('synchronous_commit', 'local', true) = 'local'`

/** The last block of each journal that meets the condition. */
const endsWhere = (condition: string) => `SELECT journals.journal, last.position, last.checksum
FROM (WITH RECURSIVE found AS (
    (SELECT journal FROM ringbook_blocks ORDER BY journal LIMIT 1)
    UNION ALL SELECT (SELECT b.journal FROM ringbook_blocks b
      WHERE b.journal > found.journal ORDER BY b.journal LIMIT 1)
    FROM found WHERE found.journal IS NOT NULL
  ) SELECT journal FROM found WHERE journal IS NOT NULL) AS journals,
LATERAL (SELECT position, checksum FROM ringbook_blocks b
  WHERE b.journal = journals.journal AND ${condition} ORDER BY position DESC LIMIT 1) AS last`

export const ENDS = endsWhere('true')

export const CHECKSUM = 'SELECT checksum FROM ringbook_blocks WHERE journal = $1 AND position = $2'

/** Blocks behind $2 until their bytes reach $3, of at most $4. */
export const READ = `SELECT position, previous, checksum, bytes FROM (
  SELECT *, sum(octet_length(bytes)) OVER (ORDER BY position) - octet_length(bytes) AS before
  FROM (SELECT * FROM ringbook_blocks WHERE journal = $1 AND position > $2
    ORDER BY position LIMIT $4) AS page) AS summed
WHERE before < $3 ORDER BY position`

/** Runs on any server. A server that shows a block shows all before it, so the highest watermark holds there. */
const WATERMARK = `SELECT greatest(
  coalesce((SELECT watermark FROM ringbook_blocks ORDER BY sequence DESC LIMIT 1), 0),
  coalesce((SELECT sequence FROM ringbook_watermark), 0))`

export const SHOWN_ENDS = endsWhere(`b.sequence <= (${WATERMARK})`)

export const SHOWN_BLOCK = `SELECT sequence, checksum FROM ringbook_blocks
  WHERE journal = $1 AND position = $2 AND sequence <= (${WATERMARK})`

/** The watermark, and with it blocks behind $1 until their bytes reach $2, of at most $3. */
export const FOLLOW = `WITH marks AS MATERIALIZED (${WATERMARK} AS watermark)
SELECT marks.watermark, summed.sequence, journal, position, previous, checksum, bytes
FROM marks LEFT JOIN LATERAL (
  SELECT *, sum(octet_length(bytes)) OVER (ORDER BY sequence) - octet_length(bytes) AS before
  FROM (SELECT sequence, journal, position, previous, checksum, bytes FROM ringbook_blocks
    WHERE sequence > $1 AND sequence <= marks.watermark ORDER BY sequence LIMIT $3) AS page
) AS summed ON before < $2 ORDER BY summed.sequence`

/** Member, address, and the sequence up to which its folder has all blocks for good. */
export const NOTE_MEMBER = `INSERT INTO ringbook_members (member, address, sequence, noted)
  VALUES ($1, $2, $3, now())
  ON CONFLICT (member) DO UPDATE SET address = $2, sequence = $3, noted = now()`

export const FORGET_MEMBERS = 'DELETE FROM ringbook_members WHERE member = ANY($1::text[])'

export const MEMBERS = `SELECT member, address, sequence,
  extract(epoch FROM now() - noted)::double precision AS seconds
FROM ringbook_members ORDER BY sequence`

/** The sequence before the first block that a folder lacks, which has $2 of journals $1. */
export const BEFORE_LACKING = `SELECT min(lacking.sequence) - 1 AS sequence
FROM (${endsWhere('true')}) AS ends
LEFT JOIN unnest($1::integer[], $2::bigint[]) AS place (journal, position)
  ON place.journal = ends.journal,
LATERAL (SELECT b.sequence FROM ringbook_blocks b
  WHERE b.journal = ends.journal AND b.position > coalesce(place.position, 0)
  ORDER BY b.position LIMIT 1) AS lacking`

export const SHOWN = `SELECT (${WATERMARK}) AS watermark,
  coalesce((SELECT min(sequence) FROM ringbook_blocks), 1) AS first`

/**
 * Removes blocks behind $1, up to $2, of a cut at $3. The last block of each journal up to the cut stays: the
 * next one names it, and a member whose folder ends with it finds it. The one that stays is not behind the
 * watermark, which proves that those before it are on the quorum.
 */
export const TRIM = `DELETE FROM ringbook_blocks b
WHERE b.sequence > $1 AND b.sequence <= $2
  AND EXISTS (SELECT FROM ringbook_blocks later
    WHERE later.journal = b.journal AND later.position = b.position + 1
      AND later.sequence <= least($3, (${WATERMARK})))`
