import type { Gallery } from './galleryContext';

/** The images selected for comparison. */
export function MarkBar({ gallery: { session, strings } }: { readonly gallery: Gallery }) {
  const { marks } = session;
  const count = marks.tiles.value.length;
  const refusal = marks.refusal.value;
  if (count === 0 && refusal === '') return null;
  return (
    <div class="gallery-marks">
      {count > 0 && <span>{count === 1 ? strings.selectedOne : strings.selectedTwo}</span>}
      {refusal && <span class="gallery-refusal">{refusal}</span>}
      {count === 2 && (
        <vscode-button class="gallery-compare" appearance="secondary" onClick={() => (marks.isComparing.value = true)}>
          {strings.compare}
        </vscode-button>
      )}
      {count > 0 && (
        <button type="button" class="link" onClick={() => marks.clear()}>
          {strings.clearSelection}
        </button>
      )}
    </div>
  );
}
