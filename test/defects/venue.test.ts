/** The simulator "venue" finds each defect that is planted for it. */
import { testDefectsOf } from './defects.ts'

testDefectsOf('venue')
