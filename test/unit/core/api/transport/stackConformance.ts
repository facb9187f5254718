import { describeAnswers } from './stackAnswers';
import { describeEndings } from './stackEndings';
import { describeFailures } from './stackFailures';
import type { Subject } from './stackHarness';
import { describeUploads } from './stackUploads';

/** What every network stack promises, whatever is behind it. */
export function describeStack(title: string, subject: Subject): void {
  describe(title, () => {
    describeAnswers(subject);
    describeEndings(subject);
    describeFailures(subject);
    describeUploads(subject);
  });
}
