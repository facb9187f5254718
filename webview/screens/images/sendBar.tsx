import { LastCost } from '../../components/lastCost';
import { ignoreHeldEnter, isFirstClick } from '../../components/sendOnce';
import type { Images } from './imagesContext';

/** The button that sends, and how many images that generates. */
export function SendBar({ images: { session, strings } }: { readonly images: Images }) {
  const { plan, issues } = session.typed.answer.value;
  const page = session.page.value;
  const isOrdering = session.isOrdering.value;
  const wrong = Object.values(issues)[0];
  const cost = page?.costs.find(({ model }) => model === session.typed.form.value.model);
  const canSend = page !== undefined && !isOrdering;
  return (
    <div class="images-send">
      <vscode-button
        appearance="primary"
        title={strings.generateHint}
        aria-describedby="plan"
        disabled={!canSend}
        onKeyDown={ignoreHeldEnter}
        onClick={(event: MouseEvent) => canSend && isFirstClick(event) && void session.generate()}
      >
        {strings.generate}
      </vscode-button>
      <span class="images-plan" id="plan" aria-live="polite">
        {isOrdering ? strings.ordering : (wrong ?? plan)}{' '}
        {page && plan !== '' && wrong === undefined && (
          <button type="button" class="link" onClick={() => session.act('paceSetting')}>
            {page.pace}
          </button>
        )}
        {cost && <LastCost cost={cost} />}
      </span>
    </div>
  );
}
