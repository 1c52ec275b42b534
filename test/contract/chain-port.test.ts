import { HouseChains } from '../../src/assembly/main/chain-port.ts'
import { chainPortContract } from './chain-port.ts'

chainPortContract('the chains of the house', () => new HouseChains())
