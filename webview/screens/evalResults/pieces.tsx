import type { EvalSide } from '../../../src/protocol/evalResults';

interface Props {
  readonly pieces: EvalSide['pieces'];
  readonly showsDifference: boolean;
  /** Says what a mark means. */
  readonly title?: string;
}

/** A response, with marks on what the other one doesn't have. */
export function Pieces({ pieces, showsDifference, title }: Props) {
  return (
    <p class="details-text" dir="auto">
      {pieces.map(({ text, differs }, index) =>
        differs && showsDifference ? (
          <mark class="eval-differs" key={index} title={title}>
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </p>
  );
}
