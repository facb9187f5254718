import { fill } from '../../components/fill';
import { Note } from '../../components/note';
import { SendButton, SendFooter, SendProgress } from '../../components/sendFooter';
import type { Upload } from './uploadContext';

const tones = { created: 'info', named: 'info', unknown: 'warning', failed: 'error' } as const;

/** The upload button, with the obstacle, the progress, or the error. */
export function SendBar({ upload }: { readonly upload: Upload }) {
  const { session, strings } = upload;
  const view = session.view.value;
  const trouble = session.trouble.value;
  const progress = view?.progress;
  const outcome = progress ? undefined : view?.outcome;
  const act = (id: string) => {
    // Handled here, because the name field is on this page.
    if (id === 'changeName') document.querySelector<HTMLInputElement>('#sample-name')?.select();
    void session.act(id);
  };
  return (
    <SendFooter>
      {outcome && (
        <Note
          tone={tones[outcome.kind]}
          title={outcome.title}
          detail={outcome.detail}
          actions={outcome.actions}
          onAct={act}
        />
      )}
      {trouble && <Note tone="error" {...trouble} onAct={act} />}
      {progress && <SendProgress {...progress} cancel={strings.cancel} onCancel={() => void session.ask('stop')} />}
      {view && !progress && outcome?.kind !== 'unknown' && <Ready upload={upload} />}
    </SendFooter>
  );
}

function Ready({ upload: { session, strings } }: { readonly upload: Upload }) {
  const obstacle = session.obstacle.value;
  const account = session.view.value?.account?.text ?? '';
  return (
    <SendButton
      label={strings.upload}
      about={obstacle === undefined ? fill(strings.willSend, account) : strings[obstacle]}
      disabled={obstacle !== undefined}
      onSend={() => void session.send()}
    />
  );
}
