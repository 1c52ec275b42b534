/** The order of test files: those that take long begin first, so that no worker waits for one at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ORDER = ['night', 'long', 'whole', 'simulators', 'unit']
const placeOf = ({ project }: TestSpecification): number => ORDER.indexOf(project.name)

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => placeOf(a) - placeOf(b))
  }
}
