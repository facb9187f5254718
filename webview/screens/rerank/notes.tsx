import { Note } from '../../components/note';
import type { RerankNotice } from '../../../src/protocol/rerank';
import type { WireError } from '../../../src/protocol/wire';
import type { RerankSession } from './session';

/** Errors, and notes on the documents and the models. */
export function Notes({ session }: { readonly session: RerankSession }) {
  const page = session.page.value;
  const error = session.error.value;
  // A request that found the service not to rank says the same as the list from then on.
  const modelsError = page?.modelsError?.title === error?.title ? undefined : page?.modelsError;
  const notices: readonly RerankNotice[] = [
    ...(modelsError ? [{ ...modelsError, tone: toneOf(modelsError) }] : []),
    ...(page?.notices ?? []),
  ];
  return (
    <>
      {error && <NoteList notices={[{ ...error, tone: 'error' }]} onAct={(id) => session.actOnError(id)} />}
      <NoteList notices={notices} onAct={(id) => session.act(id)} />
    </>
  );
}

const toneOf = ({ kind }: WireError): RerankNotice['tone'] => (kind === 'notOffered' ? 'info' : 'error');

interface NoteListProps {
  readonly notices: readonly RerankNotice[];
  readonly onAct: (id: string) => void;
}

export function NoteList({ notices, onAct }: NoteListProps) {
  if (notices.length === 0) return null;
  return (
    <div class="rerank-notes">
      {notices.map(({ tone, title, detail = '', actions = [] }, index) => (
        <Note key={index} tone={tone} title={title} detail={detail} actions={actions} onAct={onAct} />
      ))}
    </div>
  );
}
