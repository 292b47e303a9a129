import { useLayoutEffect, useState } from "preact/hooks"

/** The width of an element in pixels, which follows the window. */
export function useWidth(frame: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(320)
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  return width
}
