import { HouseChains } from '../../src/assembly/main/chain-port.ts'
import { outsidePort } from '../../src/assembly/venue-chain-port.ts'
import { OutsideNode } from '../fixtures/outside-node.ts'
import { chainPortContract } from './chain-port.ts'

chainPortContract('the chains of the house', () => new HouseChains())

const node = new OutsideNode()
const operate = async () => ({ said: '', rows: [{ coin: 'USDT' }] })
chainPortContract('a program', () => outsidePort(node, operate))
