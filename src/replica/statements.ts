/** What the quorum's tables are, and the statements that change them. */

/** Rises when the tables change so that earlier programs cannot use them. */
export const TABLES_LAYOUT = 1

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
  beat bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS ringbook_blocks (
  journal integer NOT NULL,
  position bigint NOT NULL,
  epoch bigint NOT NULL,
  previous integer NOT NULL,
  checksum integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (journal, position)
);
ALTER TABLE ringbook_blocks ALTER COLUMN bytes SET STORAGE EXTERNAL;`

/** What a server must say of itself before it is trusted. */
export const CHECK = `SELECT
  current_setting('server_version_num')::integer AS version,
  pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly",
  current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on' AS "isFlushing",
  current_setting('synchronous_standby_names') <> '' AS "isQuorum"`

export const LEAD = 'SELECT layout, epoch, member, beat FROM ringbook_leader'

export const FIRST_LEAD = `INSERT INTO ringbook_leader (one, layout, epoch, member, beat)
  VALUES (true, ${TABLES_LAYOUT}, $1, $2, 1) ON CONFLICT DO NOTHING`

export const TAKE_LEAD = `UPDATE ringbook_leader SET epoch = $1, member = $2, beat = beat + 1
  WHERE epoch = $3 AND member = $4`

export const BEAT = `UPDATE ringbook_leader SET beat = beat + 1
  WHERE epoch = $1 AND current_setting('synchronous_standby_names') <> ''`

/**
 * Appends a block: epoch, journal, position, previous, checksum, bytes. The row of the leader is locked
 * until the commit, so a member that takes the lead waits for it and then sees the block. A block
 * that is there already violates the primary key: a late statement may have put it there. One row each,
 * because a statement over arrays of blocks takes longer (docs/decisions/replicated-journal.md).
 */
export const APPEND = `INSERT INTO ringbook_blocks
  (epoch, journal, position, previous, checksum, bytes)
SELECT $1::bigint, $2::integer, $3::bigint, $4::integer, $5::integer, $6::bytea
FROM ringbook_leader leader
WHERE leader.epoch = $1 AND current_setting('synchronous_standby_names') <> ''
  AND CASE WHEN $3::bigint = 1 THEN $4::integer = 0
    ELSE EXISTS (SELECT FROM ringbook_blocks b WHERE b.journal = $2::integer
      AND b.position = $3::bigint - 1 AND b.checksum = $4::integer) END
FOR SHARE OF leader`

export const ENDS = `SELECT journals.journal, last.position, last.checksum
FROM (WITH RECURSIVE found AS (
    (SELECT journal FROM ringbook_blocks ORDER BY journal LIMIT 1)
    UNION ALL SELECT (SELECT b.journal FROM ringbook_blocks b
      WHERE b.journal > found.journal ORDER BY b.journal LIMIT 1)
    FROM found WHERE found.journal IS NOT NULL
  ) SELECT journal FROM found WHERE journal IS NOT NULL) AS journals,
LATERAL (SELECT position, checksum FROM ringbook_blocks b WHERE b.journal = journals.journal
  ORDER BY position DESC LIMIT 1) AS last`

export const CHECKSUM = 'SELECT checksum FROM ringbook_blocks WHERE journal = $1 AND position = $2'

/** Blocks behind $2 until their bytes reach $3, of at most $4. */
export const READ = `SELECT position, previous, checksum, bytes FROM (
  SELECT *, sum(octet_length(bytes)) OVER (ORDER BY position) - octet_length(bytes) AS before
  FROM (SELECT * FROM ringbook_blocks WHERE journal = $1 AND position > $2
    ORDER BY position LIMIT $4) AS page) AS summed
WHERE before < $3 ORDER BY position`
