import { LastCost } from '../../components/lastCost';
import { ignoreHeldEnter, isFirstClick } from '../../components/sendOnce';
import type { Videos } from './videosContext';

/** The Generate button, which is Stop while a request is being sent; beside it the progress, or the obstacle. */
export function SubmitBar({ videos: { session, strings } }: { readonly videos: Videos }) {
  const sending = session.sending.value;
  const obstacle = session.obstacle.value;
  const cost = session.page.value?.costs.find(({ model }) => model === session.typed.form.value.model);
  const isSignedOut = obstacle === 'needsSignIn';
  const canSubmit =
    session.page.value !== undefined && obstacle === undefined && !sending && !session.isReadingPicture.value;
  return (
    <div class="video-submit">
      {sending ? (
        <vscode-button key="stop" appearance="secondary" onClick={() => session.stop()}>
          {strings.stop}
        </vscode-button>
      ) : (
        <vscode-button
          key="submit"
          appearance="primary"
          title={/mac/i.test(navigator.userAgent) ? strings.submitHintMac : strings.submitHint}
          aria-describedby="submit-about"
          disabled={!canSubmit}
          onKeyDown={ignoreHeldEnter}
          onClick={(event: MouseEvent) => canSubmit && isFirstClick(event) && void session.submit()}
        >
          {strings.submit}
        </vscode-button>
      )}
      <span class="videos-muted" id="submit-about">
        {sending ? sending.text || strings.submitting : (obstacle && strings[obstacle]) || session.done.value}
        {cost && !sending && <LastCost cost={cost} />}
      </span>
      {isSignedOut && (
        <button type="button" class="link" onClick={() => session.act('signIn')}>
          {strings.signIn}
        </button>
      )}
    </div>
  );
}
