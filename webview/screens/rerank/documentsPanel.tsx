import { useEffect, useRef } from 'preact/hooks';
import type { RerankDocument } from '../../../src/protocol/rerank';
import { fill } from '../../components/fill';
import { Icon } from '../../components/icon';
import { columnOf, DocumentTable } from './documentTable';
import { Nothing } from './nothing';
import type { Rerank } from './rerankContext';

/** The documents to send, as they are split; each can be excluded. */
export function DocumentsPanel({ rerank }: { readonly rerank: Rerank }) {
  const { session, strings, number } = rerank;
  const page = session.page.value;
  const toggle = (row: RerankDocument) => void session.exclude(row.index, !row.isExcluded);
  const onKey = (key: string, row: RerankDocument, event: KeyboardEvent) => {
    if (key !== ' ') return;
    event.preventDefault();
    toggle(row);
  };
  const columns = [
    columnOf('sent', strings.columnSent),
    columnOf('number', strings.columnNumber),
    columnOf('document', strings.columnDocument),
    columnOf('place', strings.columnPlace),
  ];
  return (
    <DocumentTable
      name="documents"
      label={strings.documentsTable}
      columns={columns}
      count={page?.count ?? 0}
      list={session.documents}
      cells={({ index, row }) => [
        { name: 'sent', content: row && <Sent row={row} rerank={rerank} onToggle={toggle} /> },
        { name: 'number', content: number(index + 1) },
        { name: 'document', content: <DocumentText row={row} /> },
        { name: 'place', text: row?.place },
      ]}
      isOff={(row) => row?.isExcluded === true}
      onOpen={(index) => session.goTo(index)}
      onKey={onKey}
    >
      {page?.count === 0 && <Nothing title={strings.noDocuments} detail={strings.noDocumentsDetail} />}
    </DocumentTable>
  );
}

function DocumentText({ row }: { readonly row: RerankDocument | undefined }) {
  return (
    <>
      {row?.trouble && (
        <span class="rerank-row-trouble" title={row.trouble}>
          <Icon name="warning" />
          <span class="spoken">{row.trouble}</span>
        </span>
      )}
      <bdi title={row?.text}>{row?.text}</bdi>
    </>
  );
}

interface SentProps {
  readonly row: RerankDocument;
  readonly rerank: Rerank;
  readonly onToggle: (row: RerankDocument) => void;
}

function Sent({ row, rerank: { strings, number }, onToggle }: SentProps) {
  return (
    <span class="check">
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={fill(strings.sendOne, number(row.index + 1))}
        checked={!row.isExcluded}
        onClick={(event) => event.stopPropagation()}
        onChange={() => onToggle(row)}
      />
    </span>
  );
}

/** A check box for all documents, and the number of those excluded. */
export function SendAll({ rerank: { session, strings, number } }: { readonly rerank: Rerank }) {
  const box = useRef<HTMLInputElement>(null);
  const { count = 0, excluded = 0 } = session.page.value ?? {};
  const isPart = excluded > 0 && excluded < count;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPart;
  }, [isPart]);
  if (count === 0) return null;
  return (
    <>
      {excluded > 0 && <span class="rerank-muted">{fill(strings.leftOut, number(excluded))}</span>}
      <label class="check">
        <input
          ref={box}
          type="checkbox"
          checked={excluded === 0}
          onChange={() => void session.excludeAll(excluded === 0)}
        />
        {strings.sendAll}
      </label>
    </>
  );
}
