import type { EvalPlot } from '../../../src/protocol/evalResults';
import { pageNumber } from '../../components/pageLanguage';

const steps = [1, 2, 5, 10, 20, 25, 50];
const mostTicks = 8;

/** Returns the ticks of an axis in points that has all values and zero in view. */
function plotTicks(values: readonly number[]): readonly number[] {
  const low = values.reduce((least, value) => Math.min(least, value * 100), 0);
  const high = values.reduce((most, value) => Math.max(most, value * 100), 0);
  const step = steps.find((one) => (high - low) / one <= mostTicks - 2) ?? 50;
  const first = Math.floor(low / step - 0.2);
  const last = Math.max(first + 1, Math.ceil(high / step + 0.2));
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** A difference with its interval on a line, with zero in view. Everything in it is also said in words above. */
export function Plot({ plot }: { readonly plot: EvalPlot }) {
  const { difference, low, high, margin, caption } = plot;
  const ticks = plotTicks([low, high, ...(margin === undefined ? [] : [margin])]);
  const [first = 0, last = 1] = [ticks[0], ticks.at(-1)];
  const at = (points: number) => `${((points - first) / (last - first)) * 100}%`;
  const sign = { signDisplay: 'exceptZero' } as const;
  return (
    <figure class="eval-plot">
      <div class="eval-axis" dir="ltr" aria-hidden="true">
        {ticks.map((tick) => (
          <span
            class={`eval-tick ${tick === 0 ? 'eval-zero' : ''}`}
            key={tick}
            style={{ insetInlineStart: at(tick) }}
            data-label={pageNumber(tick, sign)}
          />
        ))}
        {margin !== undefined && <span class="eval-margin" style={{ insetInlineStart: at(margin * 100) }} />}
        <span
          class="eval-interval"
          style={{ insetInlineStart: at(low * 100), insetInlineEnd: `calc(100% - ${at(high * 100)})` }}
        />
        <span class="eval-estimate" style={{ insetInlineStart: at(difference * 100) }} />
      </div>
      <figcaption>{caption}</figcaption>
    </figure>
  );
}
