import { Note } from '../../components/note';
import { SendButton, SendFooter, SendProgress } from '../../components/sendFooter';
import { uploadOf } from './form';
import type { Submit } from './submitContext';

/** The submit button, with the obstacle, the progress, or the error. */
export function SendBar({ submit }: { readonly submit: Submit }) {
  const { session, strings } = submit;
  const view = session.view.value;
  const trouble = session.trouble.value;
  const progress = view?.progress;
  const outcome = view?.outcome;
  const act = (id: string) => void session.act(id);
  const stop = () => void session.ask('stop');
  return (
    <SendFooter>
      {outcome && !progress && (
        <Note
          tone={outcome.kind === 'unknown' ? 'warning' : 'error'}
          title={outcome.title}
          detail={outcome.detail}
          actions={outcome.actions}
          onAct={act}
        />
      )}
      {trouble && <Note tone="error" {...trouble} onAct={act} />}
      {progress && (
        <SendProgress {...progress} cancel={strings.cancel} onCancel={progress.canStop ? stop : undefined} />
      )}
      {view && !progress && outcome?.kind !== 'unknown' && <Ready submit={submit} />}
    </SendFooter>
  );
}

function Ready({ submit: { session, strings } }: { readonly submit: Submit }) {
  const obstacle = session.obstacle.value;
  const view = session.view.value;
  const model = session.form.value.model.trim() || view?.model;
  const uploads = session.view.value?.uploads ?? [];
  const isReused = uploadOf(session.form.value, uploads) !== undefined;
  const isUploaded = session.view.value?.check.state === 'none';
  const next = isReused || isUploaded ? strings.willReuse : strings.willUpload;
  return (
    <SendButton
      label={strings.submit}
      about={obstacle === undefined ? next : strings[obstacle]}
      cost={view?.costs.find((cost) => cost.model === model)}
      disabled={obstacle !== undefined}
      onSend={() => void session.send()}
    >
      {session.view.value?.otherSteps.map(({ id, label }) => (
        <vscode-button key={id} appearance="secondary" onClick={() => void session.act(id)}>
          {label}
        </vscode-button>
      ))}
    </SendButton>
  );
}
