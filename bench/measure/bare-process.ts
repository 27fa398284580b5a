import fastify from "fastify";

// The process behind startBare: a bare Fastify route that replies with so many bytes.
const app = fastify();
const bodies = new Map<number, Buffer>();

app.post("/bytes/:count", async (request, reply) => {
  const count = Number((request.params as { readonly count: string }).count);
  let body = bodies.get(count);
  if (body === undefined) {
    body = Buffer.alloc(count, "x");
    bodies.set(count, body);
  }
  return reply.type("application/json").send(body);
});

process.once("disconnect", () => process.exit());
process.send?.(await app.listen({ host: "127.0.0.1", port: 0 }));
