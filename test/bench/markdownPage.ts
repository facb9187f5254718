import createMarkdownIt from 'markdown-it';
import { CodeColours } from '../../webview/markdown/codeColours';
import { createMarkdownView } from '../../webview/markdown/markdown';
import { createMarkdownRenderer } from '../../webview/markdown/renderer';
import { sanitize } from '../../webview/markdown/sanitize';

/**
 * Streams `text` in steps of `step` characters per frame, at the display's rate. Script, style, and layout of a frame all happen in its
 * animation callback, whose cost the bench reads from the browser's trace. With `every`, only each nth step is rendered.
 */
async function stream(way: 'ours' | 'naive', text: string, step: number, every: number): Promise<void> {
  const log = document.createElement('div');
  log.style.cssText = 'height: 720px; width: 340px; overflow-y: auto';
  const root = log.appendChild(document.createElement('div'));
  root.className = 'md';
  document.body.replaceChildren(log);
  const draw = way === 'ours' ? drawOurs(root) : drawNaive(root);
  for (let at = 0; at < text.length; at += step * every) {
    await nextFrame();
    draw(text.slice(at, at + step * every));
    log.scrollTop = log.scrollHeight;
  }
  await nextFrame();
  draw(undefined);
  log.scrollTop = log.scrollHeight;
}

const nativeFrame = window.requestAnimationFrame.bind(window);
const nextFrame = () => new Promise((resolve) => nativeFrame(resolve));

type Draw = (piece: string | undefined) => void;

/** Replaces the view's frame requests, so that its rendering is part of the measured time. `undefined` ends the text. */
function drawOurs(root: HTMLElement): Draw {
  let requested: FrameRequestCallback | undefined;
  window.requestAnimationFrame = (callback) => {
    requested = callback;
    return 1;
  };
  const view = createMarkdownView(root, {
    colours: new CodeColours(),
    renderer: createMarkdownRenderer(),
    canInsert: true,
  });
  return (piece) => {
    if (piece === undefined) return view.end();
    view.append(piece);
    const callback = requested;
    requested = undefined;
    callback?.(performance.now());
  };
}

/** The naive way: renders everything again for every piece. */
function drawNaive(root: HTMLElement): Draw {
  const md = createMarkdownIt({ linkify: true });
  let whole = '';
  return (piece) => {
    whole += piece ?? '';
    root.replaceChildren(sanitize(md.render(whole)));
  };
}

Object.assign(window, { stream });
