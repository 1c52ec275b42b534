/** What actions that have no feed of prices say of one. */
export const noFeed = { feedRefusal: () => undefined, feed: async () => ({}) }
