import { effect, type ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Text as it is. What is added is appended, so that a long text costs no more than its growth. */
export function PlainText({
  text,
  class: className,
}: {
  readonly text: ReadonlySignal<string>;
  readonly class: string;
}) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const node = document.createTextNode('');
    root.current?.replaceChildren(node);
    return effect(() => {
      const whole = text.value;
      const drawn = node.data;
      if (whole.startsWith(drawn)) node.appendData(whole.slice(drawn.length));
      else node.data = whole;
    });
  }, [text]);
  return <div class={className} dir="auto" tabIndex={0} ref={root} />;
}
