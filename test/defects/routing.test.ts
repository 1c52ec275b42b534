/** The simulator "routing" finds each defect that is planted for it. */
import { testDefectsOf } from './defects.ts'

testDefectsOf('routing')
