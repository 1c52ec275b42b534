/** Defects of src/replica. */
import { inRoom } from '../defect.ts'

export const replica = inRoom('replica', [
  [
    'a removal goes beyond the watermark',
    'replica/watermark',
    'statements.ts',
    'AND later.sequence <= least($3,',
    'AND later.sequence <= greatest($3,',
  ],
  [
    'a member notes what is beyond the watermark',
    'replica/watermark',
    'retention.ts',
    'Math.min(watermark, Number(rows[0]?.sequence ?? watermark))',
    'Number(rows[0]?.sequence ?? watermark)',
  ],
  [
    'a lease counts from the answer',
    'replica/lease',
    'postgres-quorum.ts',
    'this.confirmed(sinceMs)',
    'this.confirmed(elapsedMs(this.time))',
  ],
  [
    'a lead of its own silence ends a ms late',
    'replica/lease',
    'lead-watch.ts',
    'passedMs - this.sinceMs < this.afterMs',
    'passedMs - this.sinceMs <= this.afterMs',
  ],
])
