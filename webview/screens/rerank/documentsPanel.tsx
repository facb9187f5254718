import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import type { RerankDocument } from '../../../src/protocol/rerank';
import { Icon } from '../../components/icon';
import { columnOf, DocumentTable, Nothing } from './documentTable';
import type { RerankSession } from './session';
import { pageNumber } from '../../components/pageLanguage';

/** The documents to send, as they are split; each can be excluded. */
export function DocumentsPanel({ session }: { readonly session: RerankSession }) {
  const page = session.page.value;
  const toggle = (row: RerankDocument) => void session.exclude(row.index, !row.isExcluded);
  const onKey = (key: string, row: RerankDocument, event: KeyboardEvent) => {
    if (key !== ' ') return;
    event.preventDefault();
    toggle(row);
  };
  const columns = [
    columnOf('sent', l10n.t('Send')),
    columnOf('number', l10n.t('No.')),
    columnOf('document', l10n.t('Document')),
    columnOf('place', l10n.t('Location')),
  ];
  return (
    <DocumentTable
      name="documents"
      label={l10n.t('Documents to send')}
      columns={columns}
      count={page?.count ?? 0}
      list={session.documents}
      cells={({ index, row }) => [
        { name: 'sent', content: row && <Sent row={row} onToggle={toggle} /> },
        { name: 'number', content: pageNumber(index + 1) },
        { name: 'document', content: <DocumentText row={row} /> },
        { name: 'place', text: row?.place },
      ]}
      isOff={(row) => row?.isExcluded === true}
      onOpen={(index) => void session.ask('rerank/goTo', { index })}
      onKey={onKey}
    >
      {page?.count === 0 && (
        <Nothing
          title={l10n.t('No documents in this source.')}
          detail={l10n.t('Split the text differently, or choose another source.')}
        />
      )}
    </DocumentTable>
  );
}

function DocumentText({ row }: { readonly row: RerankDocument | undefined }) {
  return (
    <>
      {row?.problem && (
        <span class="rerank-row-trouble" title={row.problem}>
          <Icon name="warning" />
          <span class="spoken">{row.problem}</span>
        </span>
      )}
      <bdi title={row?.text}>{row?.text}</bdi>
    </>
  );
}

interface SentProps {
  readonly row: RerankDocument;
  readonly onToggle: (row: RerankDocument) => void;
}

function Sent({ row, onToggle }: SentProps) {
  return (
    <span class="check">
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={l10n.t('Send document {0}', pageNumber(row.index + 1))}
        checked={!row.isExcluded}
        onClick={(event) => event.stopPropagation()}
        onChange={() => onToggle(row)}
      />
    </span>
  );
}

/** A check box for all documents, and the number of those excluded. */
export function SendAll({ session }: { readonly session: RerankSession }) {
  const box = useRef<HTMLInputElement>(null);
  const { count = 0, excluded = 0 } = session.page.value ?? {};
  const isPart = excluded > 0 && excluded < count;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPart;
  }, [isPart]);
  if (count === 0) return null;
  return (
    <>
      {excluded > 0 && <span class="rerank-muted">{l10n.t('Excluded: {0}', pageNumber(excluded))}</span>}
      <label class="check">
        <input
          ref={box}
          type="checkbox"
          checked={excluded === 0}
          onChange={() => void session.excludeAll(excluded === 0)}
        />
        {l10n.t('Send all')}
      </label>
    </>
  );
}
