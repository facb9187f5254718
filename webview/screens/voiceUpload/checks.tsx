import type { VoiceUploadView } from '../../../src/protocol/voiceUpload';
import { SeverityIcon } from '../../components/severityIcon';
import type { Upload } from './uploadContext';

/** The problems found in the recording and its transcript. */
export function Checks({ upload: { strings }, view }: { readonly upload: Upload; readonly view: VoiceUploadView }) {
  if (view.state !== 'ready') return null;
  const { findings } = view;
  return (
    <section class="send-section" aria-labelledby="checks-heading">
      <h2 id="checks-heading">{strings.checks}</h2>
      <ul class="sample-findings">
        {findings.map(({ severity, text }) => (
          <li key={text}>
            <SeverityIcon kind={severity} />
            <span class="spoken">{strings[severity]}</span>
            <span class="sample-finding">{text}</span>
          </li>
        ))}
        {findings.length === 0 && (
          <li>
            <SeverityIcon kind="good" />
            <span class="sample-finding">{strings.noFindings}</span>
          </li>
        )}
      </ul>
    </section>
  );
}
