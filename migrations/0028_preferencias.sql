-- Choices of an account about how the console looks, the same on every machine.
create table preferencias (
  usuario_id integer not null,
  preferencias jsonb not null,
  atualizado_em timestamp with time zone not null,
  constraint preferencias__pk primary key (usuario_id),
  constraint preferencias__usuario__exists foreign key (usuario_id) references usuarios (id) on delete cascade
);
