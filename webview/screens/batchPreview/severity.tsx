import type { PreviewProblemCounts } from '../../../src/protocol/batchPreview';
import type { BatchPreviewStrings } from '../../../src/protocol/batchPreviewStrings';
import { Icon } from '../../components/icon';
import type { IconName } from '../../components/iconNames';

export type Severity = keyof PreviewProblemCounts;

const severities = ['error', 'warning', 'hint'] as const;
const icons: { readonly [S in Severity]: IconName } = { error: 'error', warning: 'warning', hint: 'info' };

/** The sign of a severity. What it means stands beside it or in its label. */
export function SeverityIcon({ severity }: { readonly severity: Severity }) {
  return (
    <span class={`preview-${severity}`}>
      <Icon name={icons[severity]} />
    </span>
  );
}

/** How many problems of each kind there are; nothing where there are none. */
export function Counts({
  counts,
  strings,
}: {
  readonly counts: PreviewProblemCounts;
  readonly strings: BatchPreviewStrings;
}) {
  return (
    <>
      {severities
        .filter((severity) => counts[severity] > 0)
        .map((severity) => (
          <span class="preview-badge" key={severity} title={strings[severity]}>
            <SeverityIcon severity={severity} />
            <span class="spoken">{strings[severity]}</span>
            {counts[severity]}
          </span>
        ))}
    </>
  );
}
