/** The simulator "faults" finds each defect that is planted for it. */
import { testDefectsOf } from './defects.ts'

testDefectsOf('faults')
