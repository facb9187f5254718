import type { VoiceUploadOutcome } from '../../../src/protocol/voiceUpload';
import { SentReceipt } from '../../components/sentReceipt';
import type { Upload } from './uploadContext';

interface ReceiptProps {
  readonly upload: Upload;
  readonly outcome: VoiceUploadOutcome;
}

/** Shown once the voice exists: its URI and further actions. */
export function Receipt({ upload: { session, strings }, outcome }: ReceiptProps) {
  return (
    <SentReceipt
      sign="good"
      title={outcome.title}
      detail={outcome.detail}
      actions={outcome.actions}
      onAct={(id) => void session.act(id)}
      trouble={session.trouble.value}
    >
      <dl class="sample-uri">
        <dt class="send-muted">{strings.uri}</dt>
        <dd>
          <code>{outcome.uri}</code>
        </dd>
      </dl>
    </SentReceipt>
  );
}
