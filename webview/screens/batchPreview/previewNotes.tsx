import { Note } from '../../components/note';
import { Reading } from '../../components/reading';
import type { Preview } from './previewContext';

/** Notes on the file, with possible actions. */
export function PreviewNotes({ preview: { session, strings } }: { readonly preview: Preview }) {
  const { changed, gone, unsaved } = session.notices.value;
  const partial = session.summary.value?.partial;
  const loading = session.loading.progress.value;
  if (loading)
    return (
      <Reading {...loading} label={strings.reading} cancel={strings.cancel} onCancel={() => session.stopLoading()} />
    );
  const again = (label: string) => ({ actions: [{ id: 'again', label }], onAct: () => void session.load(true) });
  const tone = 'warning';
  const none = { actions: [], onAct: () => undefined };
  return (
    <>
      {gone && <Note tone={tone} title={strings.goneTitle} detail={strings.goneDetail} {...none} />}
      {changed && (
        <Note tone={tone} title={strings.changedTitle} detail={strings.changedDetail} {...again(strings.readAgain)} />
      )}
      {unsaved && <Note tone={tone} title={strings.unsavedTitle} detail={strings.unsavedDetail} {...none} />}
      {partial && <Note tone={tone} title={strings.partialTitle} detail={partial} {...again(strings.readAll)} />}
    </>
  );
}
