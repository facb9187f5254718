import type { PreviewProblemCounts } from '../../../src/protocol/batchPreview';
import { Icon } from '../../components/icon';
import type { IconName } from '../../components/iconNames';
import { severityText } from '../../components/severityIcon';

export type Severity = keyof PreviewProblemCounts;

const severities = ['error', 'warning', 'hint'] as const;
const icons: { readonly [S in Severity]: IconName } = { error: 'error', warning: 'warning', hint: 'info' };

/** The icon of a severity. Its meaning is in the text beside it or in its label. */
export function SeverityIcon({ severity }: { readonly severity: Severity }) {
  return (
    <span class={`preview-${severity}`}>
      <Icon name={icons[severity]} />
    </span>
  );
}

/** The number of problems of each severity; nothing if there are none. */
export function Counts({ counts }: { readonly counts: PreviewProblemCounts }) {
  return (
    <>
      {severities
        .filter((severity) => counts[severity] > 0)
        .map((severity) => (
          <span class="preview-badge" key={severity} title={severityText(severity)}>
            <SeverityIcon severity={severity} />
            <span class="spoken">{severityText(severity)}</span>
            {counts[severity]}
          </span>
        ))}
    </>
  );
}
