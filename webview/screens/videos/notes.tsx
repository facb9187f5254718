import type { VideoNotice } from '../../../src/protocol/videos';
import { Note } from '../../components/note';
import type { VideosSession } from './session';

/** Errors, and notes on the models and the records. */
export function Notes({ session }: { readonly session: VideosSession }) {
  const page = session.page.value;
  const error = session.error.value;
  const hasCard = page?.jobs.some(({ id }) => id === session.errorJob.value) === true;
  const notices: readonly VideoNotice[] = [
    ...(error && !hasCard ? [{ ...error, tone: 'error' as const }] : []),
    ...(page?.modelsError ? [{ ...page.modelsError, tone: 'error' as const }] : []),
    ...(page?.notices ?? []),
  ];
  return <NoteList notices={notices} onAct={(action) => session.act(action)} />;
}

interface NoteListProps {
  readonly notices: readonly VideoNotice[];
  readonly onAct: (action: string) => void;
}

export function NoteList({ notices, onAct }: NoteListProps) {
  if (notices.length === 0) return null;
  return (
    <div class="videos-notes">
      {notices.map(({ tone, title, detail, actions = [] }, index) => (
        <Note key={index} tone={tone} title={title} detail={detail} actions={actions} onAct={onAct} />
      ))}
    </div>
  );
}
