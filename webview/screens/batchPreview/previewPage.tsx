import * as l10n from '@vscode/l10n';
import { ErrorNotice } from '../../components/errorNotice';
import { Details } from './details';
import { PreviewNotes } from './previewNotes';
import type { Preview } from './previewContext';
import { PreviewTable } from './previewTable';
import { Toolbar } from './toolbar';

export function PreviewPage({ preview }: { readonly preview: Preview }) {
  const { session } = preview;
  const summary = session.summary.value;
  return (
    <>
      <header class="preview-head">
        <h1 class="table-page-name" title={session.name.value}>
          {session.name.value}
        </h1>
        <span class="table-page-facts">{summary?.facts}</span>
      </header>
      <Toolbar preview={preview} />
      <PreviewNotes preview={preview} />
      <ErrorNotice
        trouble={session.trouble.value}
        readAgain={l10n.t('Read again')}
        onReadAgain={() => void session.load(true)}
      />
      <div class="table-page-body">
        {summary?.nothing === undefined ? (
          <PreviewTable preview={preview} />
        ) : (
          <p class="table-nothing">{summary.nothing}</p>
        )}
        {session.table.selected.value !== null && session.table.details.value && <Details preview={preview} />}
      </div>
    </>
  );
}
