-- Requests that were sent with an `Idempotency-Key`, and what they were answered, for 24 hours.

create table idempotencia (
  usuario_id integer not null constraint idempotencia__usuario_id__exists references usuarios on delete cascade,
  -- Keyed hash of caller, route and key.
  chave bytea not null,
  -- Keyed hash of what was asked: a plain one would let its password be guessed, far faster than from senha_hash.
  pedido bytea not null,
  -- Status and body, encrypted under DATA_KEY; null only inside the transaction that is finding them.
  resposta bytea,
  criado_em timestamptz not null,
  constraint idempotencia__pk primary key (usuario_id, chave)
);
create index idempotencia__criado_em on idempotencia (criado_em);
