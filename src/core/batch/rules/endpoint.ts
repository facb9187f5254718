import type { Line } from '../line';
import { batchUrl } from '../limits';
import { member } from '../scan/jsonTree';

/** Whether a line is for another endpoint than chat that batches may be for: the service alone checks its body then. */
export function isForOther({ root, rules: { endpoints } }: Line): boolean {
  const url = member(root, 'url')?.value.value;
  return typeof url === 'string' && url !== batchUrl && endpoints.includes(url);
}
