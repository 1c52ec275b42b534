/** The simulator "exchange" finds each defect that is planted for it. */
import { testDefectsOf } from './defects.ts'

testDefectsOf('exchange')
