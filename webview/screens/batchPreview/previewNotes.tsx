import * as l10n from '@vscode/l10n';
import { Note } from '../../components/note';
import { Reading } from '../../components/reading';
import type { Preview } from './previewContext';

/** Notes on the file, with possible actions. */
export function PreviewNotes({ preview: { session } }: { readonly preview: Preview }) {
  const { changed, gone, unsaved } = session.notices.value;
  const partial = session.summary.value?.partial;
  const loading = session.loading.progress.value;
  if (loading)
    return (
      <Reading
        {...loading}
        label={l10n.t('Reading the file')}
        cancel={l10n.t('Cancel')}
        onCancel={() => session.stopLoading()}
      />
    );
  const again = (label: string) => ({ actions: [{ id: 'again', label }], onAct: () => void session.load(true) });
  const tone = 'warning';
  const none = { actions: [], onAct: () => undefined };
  return (
    <>
      {gone && (
        <Note
          tone={tone}
          title={l10n.t('The file is not there any more')}
          detail={l10n.t('It was moved or deleted. What is shown is as it was before.')}
          {...none}
        />
      )}
      {changed && (
        <Note
          tone={tone}
          title={l10n.t('The file changed on disk')}
          detail={l10n.t('What is shown may be out of date.')}
          {...again(l10n.t('Read again'))}
        />
      )}
      {unsaved && (
        <Note
          tone={tone}
          title={l10n.t('The file has changes that are not saved')}
          detail={l10n.t('The preview shows the file as it is on disk.')}
          {...none}
        />
      )}
      {partial && (
        <Note
          tone={tone}
          title={l10n.t('The reading was stopped')}
          detail={partial}
          {...again(l10n.t('Read the whole file'))}
        />
      )}
    </>
  );
}
