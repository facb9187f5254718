import type { SubmitOutcome, SubmitView } from '../../../src/protocol/batchSubmit';
import { SendFacts } from '../../components/sendFacts';
import { SentReceipt } from '../../components/sentReceipt';
import { Head } from './head';
import type { Submit } from './submitContext';

interface ReceiptProps {
  readonly view: SubmitView;
  readonly outcome: SubmitOutcome;
  readonly submit: Submit;
}

/** Shown once the batch exists: its details, its state, and further actions. */
export function Receipt({ view, outcome, submit: { session, strings } }: ReceiptProps) {
  return (
    <div class="send-body">
      <div class="send-column">
        <Head view={view} heading={view.name} />
        <SentReceipt
          sign={outcome.isPartial ? 'warning' : 'good'}
          title={outcome.title}
          detail={outcome.detail}
          actions={outcome.actions}
          onAct={(id) => void session.act(id)}
          trouble={session.trouble.value}
        >
          <SendFacts class="submit-facts" facts={outcome.facts} label={strings.about} />
        </SentReceipt>
      </div>
    </div>
  );
}
